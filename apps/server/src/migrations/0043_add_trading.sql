CREATE TABLE "demo_accounts" (
	"connection_id" uuid PRIMARY KEY NOT NULL,
	"balances" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "demo_orders" (
	"connection_id" uuid NOT NULL,
	"client_id" text NOT NULL,
	"is_open" boolean NOT NULL,
	"order" jsonb NOT NULL,
	CONSTRAINT "demo_orders_connection_id_client_id_pk" PRIMARY KEY("connection_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "exchange_connections" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"type" text NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"key_hint" text,
	"sealed_key" text,
	"seal_id" text,
	"rights" jsonb,
	"state" text DEFAULT 'active' NOT NULL,
	"state_reason" text,
	"is_armed" boolean NOT NULL,
	"limits" jsonb NOT NULL,
	"problem" text,
	"day" date,
	"day_equity" numeric,
	"created_at" timestamp (3) with time zone NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "favorite_assets" (
	"user_id" uuid NOT NULL,
	"asset" text NOT NULL,
	CONSTRAINT "favorite_assets_user_id_asset_pk" PRIMARY KEY("user_id","asset")
);
--> statement-breakpoint
CREATE TABLE "trading_fills" (
	"order_id" uuid NOT NULL,
	"fill_id" text NOT NULL,
	"amount" numeric NOT NULL,
	"price" numeric NOT NULL,
	"fee" numeric NOT NULL,
	"fee_asset" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trading_fills_order_id_fill_id_pk" PRIMARY KEY("order_id","fill_id")
);
--> statement-breakpoint
CREATE TABLE "trading_orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"request_id" uuid,
	"client_id" text NOT NULL,
	"exchange_id" text,
	"source" text NOT NULL,
	"symbol" text NOT NULL,
	"side" text NOT NULL,
	"type" text NOT NULL,
	"amount" numeric NOT NULL,
	"price" numeric,
	"stop_price" numeric,
	"value" numeric NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"filled" numeric DEFAULT '0' NOT NULL,
	"average" numeric,
	"fees" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"absences" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "demo_accounts" ADD CONSTRAINT "demo_accounts_connection_id_exchange_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."exchange_connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "demo_orders" ADD CONSTRAINT "demo_orders_connection_id_exchange_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."exchange_connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exchange_connections" ADD CONSTRAINT "exchange_connections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favorite_assets" ADD CONSTRAINT "favorite_assets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading_fills" ADD CONSTRAINT "trading_fills_order_id_trading_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."trading_orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading_orders" ADD CONSTRAINT "trading_orders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading_orders" ADD CONSTRAINT "trading_orders_connection_id_exchange_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."exchange_connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "demo_orders_open" ON "demo_orders" USING btree ("connection_id") WHERE is_open;--> statement-breakpoint
CREATE INDEX "exchange_connections_user" ON "exchange_connections" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "exchange_connections_demo" ON "exchange_connections" USING btree ("user_id") WHERE type = 'demo';--> statement-breakpoint
CREATE UNIQUE INDEX "trading_orders_client" ON "trading_orders" USING btree ("connection_id","client_id");--> statement-breakpoint
CREATE UNIQUE INDEX "trading_orders_request" ON "trading_orders" USING btree ("user_id","request_id");--> statement-breakpoint
CREATE INDEX "trading_orders_newest" ON "trading_orders" USING btree ("user_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "trading_orders_day" ON "trading_orders" USING btree ("connection_id","created_at");--> statement-breakpoint
CREATE INDEX "trading_orders_unfinished" ON "trading_orders" USING btree ("connection_id") WHERE state in ('formed', 'open');