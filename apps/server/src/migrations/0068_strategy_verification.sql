ALTER TABLE "strategy_tests" ADD COLUMN "verification" text;--> statement-breakpoint
ALTER TABLE "strategy_tests" ADD COLUMN "verification_message" text;--> statement-breakpoint
ALTER TABLE "strategy_tests" DROP COLUMN "is_verified";