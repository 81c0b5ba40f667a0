ALTER TABLE "published_strategies" ADD COLUMN "return_7d" double precision;--> statement-breakpoint
ALTER TABLE "published_strategies" ADD COLUMN "return_1d" double precision;--> statement-breakpoint
CREATE INDEX "published_strategies_week" ON "published_strategies" USING btree ("return_7d");--> statement-breakpoint
CREATE INDEX "published_strategies_day" ON "published_strategies" USING btree ("return_1d");--> statement-breakpoint
UPDATE "published_strategies" SET "return_7d" = ("card" #>> '{returns,7d,value}')::double precision, "return_1d" = ("card" #>> '{returns,1d,value}')::double precision;
