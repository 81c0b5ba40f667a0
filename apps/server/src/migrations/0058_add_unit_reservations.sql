CREATE TABLE "unit_reservations" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"units" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "unit_reservations_user_id_id_pk" PRIMARY KEY("user_id","id"),
	CONSTRAINT "unit_reservations_units" CHECK ("unit_reservations"."units" > 0)
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "reserved_units" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "unit_reservations" ADD CONSTRAINT "unit_reservations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "unit_reservations_expires" ON "unit_reservations" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_reserved_units" CHECK ("users"."reserved_units" >= 0);