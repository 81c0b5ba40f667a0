DROP INDEX "ledger_entries_account";--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "balance" bigint;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD COLUMN "actor_id" uuid;--> statement-breakpoint
ALTER TABLE "ledger_transactions" ADD COLUMN "note" text;--> statement-breakpoint
CREATE INDEX "ledger_entries_account" ON "ledger_entries" USING btree ("user_id","period","id");--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_balance" CHECK ("users"."balance" >= 0);