ALTER TABLE "unit_purchases" ADD CONSTRAINT "unit_purchases_units" CHECK ("unit_purchases"."units" > 0 and "unit_purchases"."refunded" >= 0 and "unit_purchases"."disputed" >= 0);--> statement-breakpoint
ALTER TABLE "portfolio_entries" ADD CONSTRAINT "portfolio_entries_amounts" CHECK ("portfolio_entries"."amount" > 0 and "portfolio_entries"."price" >= 0 and "portfolio_entries"."fee" >= 0);--> statement-breakpoint
ALTER TABLE "project_grants" ADD CONSTRAINT "project_grants_one" CHECK (num_nonnulls("project_grants"."user_id", "project_grants"."team_id") = 1);--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_visibility" CHECK ("projects"."visibility" in ('private', 'public', 'open'));--> statement-breakpoint
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_status" CHECK ("access_requests"."status" in ('pending', 'approved', 'rejected', 'canceled'));--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_period" CHECK ("subscriptions"."period" in ('monthly', 'yearly'));--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_paid" CHECK ("subscriptions"."paid" >= 0);--> statement-breakpoint
ALTER TABLE "team_invites" ADD CONSTRAINT "team_invites_role" CHECK ("team_invites"."role" in ('owner', 'admin', 'member', 'guest'));--> statement-breakpoint
ALTER TABLE "team_join_requests" ADD CONSTRAINT "team_join_requests_status" CHECK ("team_join_requests"."status" in ('pending', 'approved', 'rejected', 'canceled'));--> statement-breakpoint
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_role" CHECK ("team_members"."role" in ('owner', 'admin', 'member', 'guest'));--> statement-breakpoint
ALTER TABLE "exchange_connections" ADD CONSTRAINT "exchange_connections_type" CHECK ("exchange_connections"."type" in ('demo', 'binance_testnet', 'binance', 'kraken', 'kucoin', 'gateio'));--> statement-breakpoint
ALTER TABLE "exchange_connections" ADD CONSTRAINT "exchange_connections_state" CHECK ("exchange_connections"."state" in ('active', 'reducing', 'halted'));--> statement-breakpoint
ALTER TABLE "trading_fills" ADD CONSTRAINT "trading_fills_amounts" CHECK ("trading_fills"."amount" > 0 and "trading_fills"."price" >= 0);--> statement-breakpoint
ALTER TABLE "trading_orders" ADD CONSTRAINT "trading_orders_side" CHECK ("trading_orders"."side" in ('buy', 'sell'));--> statement-breakpoint
ALTER TABLE "trading_orders" ADD CONSTRAINT "trading_orders_type" CHECK ("trading_orders"."type" in ('market', 'limit', 'stop', 'stop_limit', 'take_profit'));--> statement-breakpoint
ALTER TABLE "trading_orders" ADD CONSTRAINT "trading_orders_state" CHECK ("trading_orders"."state" in ('formed', 'open', 'closed', 'canceled', 'expired', 'rejected'));--> statement-breakpoint
ALTER TABLE "trading_orders" ADD CONSTRAINT "trading_orders_source" CHECK ("trading_orders"."source" in ('person', 'portfolio', 'notebook', 'strategy', 'foreign'));--> statement-breakpoint
ALTER TABLE "trading_orders" ADD CONSTRAINT "trading_orders_amounts" CHECK ("trading_orders"."amount" >= 0 and "trading_orders"."filled" >= 0 and "trading_orders"."value" >= 0);--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_role" CHECK ("users"."role" in ('user', 'admin'));--> statement-breakpoint
ALTER TABLE "credit_requests" ADD CONSTRAINT "credit_requests_amount" CHECK ("credit_requests"."amount" <> 0);--> statement-breakpoint
ALTER TABLE "vouchers" ADD CONSTRAINT "vouchers_units" CHECK ("vouchers"."units" > 0);