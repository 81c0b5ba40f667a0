ALTER TABLE "notifications" ADD COLUMN "entity_type" text;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "entity_id" uuid;--> statement-breakpoint
CREATE INDEX "notifications_entity" ON "notifications" USING btree ("entity_type","entity_id");--> statement-breakpoint
UPDATE "notifications" SET "entity_type" = 'comment', "entity_id" = "comment_id" WHERE "comment_id" IS NOT NULL;