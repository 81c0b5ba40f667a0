CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE TABLE "directories" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"path" text NOT NULL,
	"path_key" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "file_versions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"file_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"name" text,
	"blob" text NOT NULL,
	"size" integer NOT NULL,
	"author_id" uuid,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revisioned_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"path" text NOT NULL,
	"path_key" text NOT NULL,
	"language" text NOT NULL,
	"mime_type" text NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"blob" text NOT NULL,
	"size" integer NOT NULL,
	"version" integer NOT NULL,
	"version_id" uuid NOT NULL,
	"cloned_from_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"updated_by_id" uuid,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "project_grants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"user_id" uuid,
	"team_id" uuid,
	"permissions" jsonb NOT NULL,
	"is_author" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "project_tags" (
	"project_id" uuid NOT NULL,
	"tag_id" uuid NOT NULL,
	CONSTRAINT "project_tags_project_id_tag_id_pk" PRIMARY KEY("project_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "project_views" (
	"project_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"viewed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "project_views_project_id_user_id_pk" PRIMARY KEY("project_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"section" text,
	"kind" text DEFAULT 'notebook' NOT NULL,
	"language" text DEFAULT 'python' NOT NULL,
	"visibility" text DEFAULT 'private' NOT NULL,
	"parent_id" uuid,
	"thumbnail_asset_id" uuid,
	"showcase_asset_id" uuid,
	"showcase_mime_type" text,
	"owner_id" uuid NOT NULL,
	"creator_id" uuid,
	"license" text DEFAULT 'none' NOT NULL,
	"default_file_id" uuid,
	"is_setup_complete" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"published_at" timestamp (3) with time zone,
	"owned_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"analyze_count" integer DEFAULT 0 NOT NULL,
	"clone_count" integer DEFAULT 0 NOT NULL,
	"comment_count" integer DEFAULT 0 NOT NULL,
	"execute_count" integer DEFAULT 0 NOT NULL,
	"follow_count" integer DEFAULT 0 NOT NULL,
	"share_count" integer DEFAULT 0 NOT NULL,
	"view_count" integer DEFAULT 0 NOT NULL,
	"search_text" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tags" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "secrets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"key" text NOT NULL,
	"sealed" text NOT NULL,
	"key_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "directories" ADD CONSTRAINT "directories_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_versions" ADD CONSTRAINT "file_versions_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_versions" ADD CONSTRAINT "file_versions_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_updated_by_id_users_id_fk" FOREIGN KEY ("updated_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_grants" ADD CONSTRAINT "project_grants_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_grants" ADD CONSTRAINT "project_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_tags" ADD CONSTRAINT "project_tags_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_tags" ADD CONSTRAINT "project_tags_tag_id_tags_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_views" ADD CONSTRAINT "project_views_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_views" ADD CONSTRAINT "project_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_parent_id_projects_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."projects"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_creator_id_users_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secrets" ADD CONSTRAINT "secrets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "directories_path" ON "directories" USING btree ("project_id","path_key");--> statement-breakpoint
CREATE UNIQUE INDEX "file_versions_number" ON "file_versions" USING btree ("file_id","version");--> statement-breakpoint
CREATE INDEX "file_versions_blob" ON "file_versions" USING btree ("blob");--> statement-breakpoint
CREATE UNIQUE INDEX "files_path" ON "files" USING btree ("project_id","path_key") WHERE "files"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "files_project" ON "files" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "files_blob" ON "files" USING btree ("blob");--> statement-breakpoint
CREATE INDEX "files_cloned_from" ON "files" USING btree ("cloned_from_id");--> statement-breakpoint
CREATE INDEX "files_bin" ON "files" USING btree ("deleted_at") WHERE "files"."deleted_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "project_grants_user" ON "project_grants" USING btree ("project_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "project_grants_team" ON "project_grants" USING btree ("project_id","team_id");--> statement-breakpoint
CREATE INDEX "project_grants_of_user" ON "project_grants" USING btree ("user_id","project_id");--> statement-breakpoint
CREATE INDEX "project_tags_tag" ON "project_tags" USING btree ("tag_id");--> statement-breakpoint
CREATE INDEX "project_views_user" ON "project_views" USING btree ("user_id","viewed_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "projects_owner_updated" ON "projects" USING btree ("owner_id","updated_at" DESC NULLS LAST,"id") WHERE "projects"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "projects_owner_created" ON "projects" USING btree ("owner_id","created_at" DESC NULLS LAST,"id") WHERE "projects"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "projects_shown_updated" ON "projects" USING btree ("updated_at" DESC NULLS LAST,"id") WHERE "projects"."deleted_at" is null and "projects"."visibility" in ('public', 'open');--> statement-breakpoint
CREATE INDEX "projects_shown_created" ON "projects" USING btree ("created_at" DESC NULLS LAST,"id") WHERE "projects"."deleted_at" is null and "projects"."visibility" in ('public', 'open');--> statement-breakpoint
CREATE INDEX "projects_shown_views" ON "projects" USING btree ("view_count" DESC NULLS LAST,"id") WHERE "projects"."deleted_at" is null and "projects"."visibility" in ('public', 'open');--> statement-breakpoint
CREATE INDEX "projects_shown_clones" ON "projects" USING btree ("clone_count" DESC NULLS LAST,"id") WHERE "projects"."deleted_at" is null and "projects"."visibility" in ('public', 'open');--> statement-breakpoint
CREATE INDEX "projects_shown_shares" ON "projects" USING btree ("share_count" DESC NULLS LAST,"id") WHERE "projects"."deleted_at" is null and "projects"."visibility" in ('public', 'open');--> statement-breakpoint
CREATE INDEX "projects_shown_name" ON "projects" USING btree (lower("name"),"id") WHERE "projects"."deleted_at" is null and "projects"."visibility" in ('public', 'open');--> statement-breakpoint
CREATE INDEX "projects_bin" ON "projects" USING btree ("deleted_at") WHERE "projects"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "projects_words" ON "projects" USING gin (to_tsvector('simple', "search_text"));--> statement-breakpoint
CREATE INDEX "projects_trigrams" ON "projects" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "tags_name" ON "tags" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "secrets_key" ON "secrets" USING btree ("user_id","key");--> statement-breakpoint
CREATE INDEX "secrets_key_id" ON "secrets" USING btree ("key_id");