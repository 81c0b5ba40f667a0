CREATE TABLE "project_offer_days" (
	"user_id" uuid NOT NULL,
	"day" date NOT NULL,
	"offers" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "project_offer_days_user_id_day_pk" PRIMARY KEY("user_id","day")
);
--> statement-breakpoint
ALTER TABLE "project_offer_days" ADD CONSTRAINT "project_offer_days_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;