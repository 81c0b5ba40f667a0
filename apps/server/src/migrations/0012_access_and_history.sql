ALTER TABLE "notebooks" ADD COLUMN "autorun_by_id" uuid;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "is_with_secrets" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "notebooks" ADD CONSTRAINT "notebooks_autorun_by_id_users_id_fk" FOREIGN KEY ("autorun_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notebooks" DROP COLUMN "is_autorun";--> statement-breakpoint
ALTER TABLE "file_versions" ADD COLUMN "is_manual" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "handled_by" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "project_views" ADD COLUMN "analyzed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "projects" DROP COLUMN "follow_count";