CREATE TABLE "payment_events" (
	"provider" text NOT NULL,
	"id" text NOT NULL,
	"type" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_events_provider_id_pk" PRIMARY KEY("provider","id")
);
--> statement-breakpoint
CREATE TABLE "unit_purchases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"units" integer NOT NULL,
	"request_id" uuid NOT NULL,
	"state" text NOT NULL,
	"checkout_id" text,
	"checkout_url" text,
	"payment_id" text,
	"paid_at" timestamp (3) with time zone,
	"refunded" integer DEFAULT 0 NOT NULL,
	"disputed" integer DEFAULT 0 NOT NULL,
	"dispute_state" text,
	"credited" integer DEFAULT 0 NOT NULL,
	"owed" integer DEFAULT 0 NOT NULL,
	"moves" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "unit_purchases_credited" CHECK ("unit_purchases"."credited" between 0 and "unit_purchases"."units" and "unit_purchases"."owed" >= 0)
);
--> statement-breakpoint
CREATE TABLE "billing_settings" (
	"id" text PRIMARY KEY NOT NULL,
	"extension_hour_price" integer NOT NULL,
	"welcome_units" integer NOT NULL,
	"invited_units" integer NOT NULL,
	"inviter_units" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "referral_uses" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"referral_id" uuid,
	"owner_id" uuid,
	"state" text NOT NULL,
	"reason" text,
	"units" integer DEFAULT 0 NOT NULL,
	"owner_units" integer DEFAULT 0 NOT NULL,
	"owner_transaction_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"matched_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "referrals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"units" integer DEFAULT 0 NOT NULL,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"role_ids" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"rate_plan_id" uuid,
	"trial_days" integer,
	"default_kernel" text,
	"team_id" uuid,
	"owner_id" uuid,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trials" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"rate_plan_id" uuid NOT NULL,
	"days" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"extended_at" timestamp (3) with time zone,
	"extension_days" integer,
	"units" integer DEFAULT 0 NOT NULL,
	"role_ids" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"end_reason" text
);
--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_balance";--> statement-breakpoint
ALTER TABLE "kernel_sessions" ADD COLUMN "extension_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "quota_balances" ADD COLUMN "paid_units" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "rate_plans" ADD COLUMN "max_projects" integer DEFAULT 0;--> statement-breakpoint
ALTER TABLE "rate_plans" ADD COLUMN "execution_hours" integer DEFAULT 0;--> statement-breakpoint
ALTER TABLE "rate_plans" ADD COLUMN "longest_run_hours" integer DEFAULT 0;--> statement-breakpoint
ALTER TABLE "rate_plans" ADD COLUMN "tier" text DEFAULT 'l1' NOT NULL;--> statement-breakpoint
ALTER TABLE "rate_plans" ADD COLUMN "features" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "rate_plans" ADD COLUMN "role_ids" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "unbounded_balance" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "unit_purchases" ADD CONSTRAINT "unit_purchases_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral_uses" ADD CONSTRAINT "referral_uses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral_uses" ADD CONSTRAINT "referral_uses_referral_id_referrals_id_fk" FOREIGN KEY ("referral_id") REFERENCES "public"."referrals"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral_uses" ADD CONSTRAINT "referral_uses_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_rate_plan_id_rate_plans_id_fk" FOREIGN KEY ("rate_plan_id") REFERENCES "public"."rate_plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trials" ADD CONSTRAINT "trials_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trials" ADD CONSTRAINT "trials_rate_plan_id_rate_plans_id_fk" FOREIGN KEY ("rate_plan_id") REFERENCES "public"."rate_plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "unit_purchases_request" ON "unit_purchases" USING btree ("user_id","request_id");--> statement-breakpoint
CREATE UNIQUE INDEX "unit_purchases_checkout" ON "unit_purchases" USING btree ("checkout_id");--> statement-breakpoint
CREATE UNIQUE INDEX "unit_purchases_payment" ON "unit_purchases" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "unit_purchases_user" ON "unit_purchases" USING btree ("user_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "unit_purchases_owed" ON "unit_purchases" USING btree ("user_id") WHERE "unit_purchases"."owed" > 0;--> statement-breakpoint
CREATE INDEX "referral_uses_owner" ON "referral_uses" USING btree ("owner_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "referral_uses_referral" ON "referral_uses" USING btree ("referral_id");--> statement-breakpoint
CREATE UNIQUE INDEX "referrals_code" ON "referrals" USING btree (lower("code"));--> statement-breakpoint
CREATE INDEX "referrals_owner" ON "referrals" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "trials_expiry" ON "trials" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_balance" CHECK ("users"."balance" >= 0 and "users"."unbounded_balance" >= 0);