CREATE TABLE "ai_prices" (
	"model" text PRIMARY KEY NOT NULL,
	"input_units" double precision NOT NULL,
	"output_units" double precision NOT NULL,
	"context_tokens" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "delivery_targets_failed_mail" ON "delivery_targets" USING btree ("id") WHERE "delivery_targets"."kind" = 'email' and "delivery_targets"."state" in ('failed', 'unconfirmed');