ALTER TABLE "comments" ADD COLUMN "item_id" text;--> statement-breakpoint
ALTER TABLE "comments" ADD COLUMN "spot_x" double precision;--> statement-breakpoint
ALTER TABLE "comments" ADD COLUMN "spot_y" double precision;