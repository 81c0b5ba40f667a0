CREATE TABLE "published_strategies" (
	"publication_id" uuid PRIMARY KEY NOT NULL,
	"file_id" uuid NOT NULL,
	"test_id" uuid NOT NULL,
	"card" jsonb NOT NULL,
	"total_return" double precision,
	"return_30d" double precision,
	"sharpe" double precision,
	"max_drawdown" double precision,
	"is_look_ahead_passed" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "published_strategies" ADD CONSTRAINT "published_strategies_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "published_strategies_return" ON "published_strategies" USING btree ("total_return");--> statement-breakpoint
CREATE INDEX "published_strategies_month" ON "published_strategies" USING btree ("return_30d");--> statement-breakpoint
CREATE INDEX "published_strategies_sharpe" ON "published_strategies" USING btree ("sharpe");--> statement-breakpoint
CREATE INDEX "published_strategies_drawdown" ON "published_strategies" USING btree ("max_drawdown");