ALTER TABLE "runs" ADD COLUMN "parameters" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "team_invites" ADD COLUMN "referral_code" text;