ALTER TABLE "kernel_sessions" ADD COLUMN "features" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "notebooks" ADD COLUMN "owner_id" uuid;--> statement-breakpoint
ALTER TABLE "notebooks" ADD COLUMN "owned_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "notebooks_owned" ON "notebooks" USING btree ("owned_until") WHERE "notebooks"."owner_id" is not null;