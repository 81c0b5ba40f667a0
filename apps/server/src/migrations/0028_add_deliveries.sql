CREATE TABLE "deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"publication_id" uuid NOT NULL,
	"firing_id" uuid,
	"requester_id" uuid,
	"version_number" integer NOT NULL,
	"attachment" text NOT NULL,
	"message" text NOT NULL,
	"file_blob" text,
	"file_size" integer,
	"pages" integer,
	"state" text NOT NULL,
	"reason" text,
	"failed_cell_ids" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "delivery_targets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"delivery_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"address" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"reason" text,
	"sent_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "report_refusals" (
	"publication_id" uuid NOT NULL,
	"address_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "report_refusals_publication_id_address_hash_pk" PRIMARY KEY("publication_id","address_hash")
);
--> statement-breakpoint
CREATE TABLE "report_subscribers" (
	"publication_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "report_subscribers_publication_id_user_id_pk" PRIMARY KEY("publication_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "report_settings" ADD COLUMN "delivery" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "report_settings" ADD COLUMN "sealed_targets" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_requester_id_users_id_fk" FOREIGN KEY ("requester_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_targets" ADD CONSTRAINT "delivery_targets_delivery_id_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_refusals" ADD CONSTRAINT "report_refusals_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_subscribers" ADD CONSTRAINT "report_subscribers_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_subscribers" ADD CONSTRAINT "report_subscribers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_firing" ON "deliveries" USING btree ("firing_id");--> statement-breakpoint
CREATE INDEX "deliveries_publication" ON "deliveries" USING btree ("publication_id","started_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "deliveries_file_blob" ON "deliveries" USING btree ("file_blob");--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_under_way" ON "deliveries" USING btree ("publication_id") WHERE "deliveries"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "delivery_targets_once" ON "delivery_targets" USING btree ("delivery_id","kind","address");--> statement-breakpoint
CREATE INDEX "report_subscribers_user" ON "report_subscribers" USING btree ("user_id");