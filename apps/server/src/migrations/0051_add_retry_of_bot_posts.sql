ALTER TABLE "bot_posts" ADD COLUMN "retry_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "strategy_decisions_order" ON "strategy_decisions" USING btree ("order_id");