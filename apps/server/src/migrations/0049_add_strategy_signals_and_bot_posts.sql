CREATE TABLE "strategy_followers" (
	"publication_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "strategy_followers_publication_id_user_id_pk" PRIMARY KEY("publication_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "strategy_run_values" (
	"run_id" uuid NOT NULL,
	"hour" bigint NOT NULL,
	"time" bigint NOT NULL,
	"equity" double precision NOT NULL,
	CONSTRAINT "strategy_run_values_run_id_hour_pk" PRIMARY KEY("run_id","hour")
);
--> statement-breakpoint
CREATE TABLE "bot_posts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"channel_id" uuid NOT NULL,
	"key" text NOT NULL,
	"text" text NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "bot_updates" (
	"bot" text PRIMARY KEY NOT NULL,
	"next" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "strategy_runs" ALTER COLUMN "file_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "trading_bot_channels" ADD COLUMN "type" text DEFAULT 'all' NOT NULL;--> statement-breakpoint
ALTER TABLE "trading_bot_channels" RENAME COLUMN "name" TO "title";--> statement-breakpoint
ALTER TABLE "trading_bot_channels" RENAME COLUMN "chat_id" TO "telegram_chat_id";--> statement-breakpoint
ALTER TABLE "trading_bot_channels" ADD COLUMN "periodic_updates_enabled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "trading_bot_channels" ADD COLUMN "periodic_updates_interval" integer DEFAULT 240 NOT NULL;--> statement-breakpoint
ALTER TABLE "trading_bot_channels" ADD COLUMN "last_update_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "strategy_runs" ADD COLUMN "publication_id" uuid;--> statement-breakpoint
ALTER TABLE "strategy_runs" ADD COLUMN "is_copy" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "strategy_runs" ADD COLUMN "limits" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "strategy_followers" ADD CONSTRAINT "strategy_followers_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "strategy_followers" ADD CONSTRAINT "strategy_followers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "strategy_run_values" ADD CONSTRAINT "strategy_run_values_run_id_strategy_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."strategy_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bot_posts" ADD CONSTRAINT "bot_posts_channel_id_trading_bot_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."trading_bot_channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "strategy_followers_user" ON "strategy_followers" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "bot_posts_key" ON "bot_posts" USING btree ("channel_id","key");--> statement-breakpoint
CREATE INDEX "bot_posts_newest" ON "bot_posts" USING btree ("channel_id","ended_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "bot_posts_waiting" ON "bot_posts" USING btree ("created_at","id") WHERE state in ('queued', 'sending');--> statement-breakpoint
ALTER TABLE "strategy_runs" ADD CONSTRAINT "strategy_runs_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "strategy_runs_publication" ON "strategy_runs" USING btree ("publication_id");--> statement-breakpoint
ALTER TABLE "trading_bot_channels" DROP COLUMN "description";