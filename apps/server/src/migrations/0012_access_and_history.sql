ALTER TABLE "notebooks" ADD COLUMN "autorun_by_id" uuid;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "is_with_secrets" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "notebooks" ADD CONSTRAINT "notebooks_autorun_by_id_users_id_fk" FOREIGN KEY ("autorun_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notebooks" DROP COLUMN "is_autorun";--> statement-breakpoint
ALTER TABLE "file_versions" ADD COLUMN "is_manual" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "handled_by" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "project_views" ADD COLUMN "analyzed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "projects" DROP COLUMN "follow_count";--> statement-breakpoint
CREATE TABLE "project_link_viewers" (
	"project_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "project_link_viewers_project_id_user_id_pk" PRIMARY KEY("project_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "project_links" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"secret_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by_id" uuid
);
--> statement-breakpoint
ALTER TABLE "project_link_viewers" ADD CONSTRAINT "project_link_viewers_project_id_project_links_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project_links"("project_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_link_viewers" ADD CONSTRAINT "project_link_viewers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_links" ADD CONSTRAINT "project_links_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_links" ADD CONSTRAINT "project_links_created_by_id_users_id_fk" FOREIGN KEY ("created_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "project_link_viewers_user" ON "project_link_viewers" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "hides_source" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- What was public before showed no files; and who could see a project could comment on it.
UPDATE "projects" SET "hides_source" = true WHERE "visibility" = 'public';--> statement-breakpoint
UPDATE "project_grants" SET "permissions" = "permissions" || '["comment"]'::jsonb WHERE NOT "permissions" ? 'comment';--> statement-breakpoint
UPDATE "project_invites" SET "permissions" = "permissions" || '["comment"]'::jsonb WHERE NOT "permissions" ? 'comment';
