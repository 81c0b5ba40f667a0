CREATE TABLE "report_consents" (
	"sender_id" uuid NOT NULL,
	"address_hash" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"token_hash" text,
	"asked_at" timestamp (3) with time zone,
	CONSTRAINT "report_consents_sender_id_address_hash_pk" PRIMARY KEY("sender_id","address_hash")
);
--> statement-breakpoint
CREATE TABLE "mail_counts" (
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"value" integer NOT NULL,
	CONSTRAINT "mail_counts_day_kind_key_pk" PRIMARY KEY("day","kind","key")
);
--> statement-breakpoint
CREATE TABLE "mail_limits" (
	"id" text PRIMARY KEY NOT NULL,
	"per_account" integer NOT NULL,
	"per_recipient" integer NOT NULL,
	"per_installation" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "report_consents" ADD CONSTRAINT "report_consents_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "report_consents_token" ON "report_consents" USING btree ("token_hash");