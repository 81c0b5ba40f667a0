CREATE TABLE "publication_authors" (
	"publication_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	CONSTRAINT "publication_authors_publication_id_user_id_pk" PRIMARY KEY("publication_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "publication_claps" (
	"publication_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "publication_claps_publication_id_user_id_pk" PRIMARY KEY("publication_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "publication_days" (
	"publication_id" uuid NOT NULL,
	"day" date NOT NULL,
	"views" integer DEFAULT 0 NOT NULL,
	"shares" integer DEFAULT 0 NOT NULL,
	"clones" integer DEFAULT 0 NOT NULL,
	"runs" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "publication_days_publication_id_day_pk" PRIMARY KEY("publication_id","day")
);
--> statement-breakpoint
CREATE TABLE "publication_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"publication_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "publication_tags" (
	"publication_id" uuid NOT NULL,
	"tag_id" uuid NOT NULL,
	CONSTRAINT "publication_tags_publication_id_tag_id_pk" PRIMARY KEY("publication_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "publication_versions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"publication_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"file_version_id" uuid,
	"source_blob" text NOT NULL,
	"html_blob" text NOT NULL,
	"toc" jsonb NOT NULL,
	"payload" jsonb NOT NULL,
	"author_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "publication_visits" (
	"publication_id" uuid NOT NULL,
	"day" date NOT NULL,
	"visitor" text NOT NULL,
	CONSTRAINT "publication_visits_publication_id_day_visitor_pk" PRIMARY KEY("publication_id","day","visitor")
);
--> statement-breakpoint
CREATE TABLE "publications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"file_id" uuid,
	"content_kind" text NOT NULL,
	"type" text NOT NULL,
	"category" text DEFAULT 'other' NOT NULL,
	"access_level" text DEFAULT 'draft' NOT NULL,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"cover_asset_id" uuid,
	"payload" jsonb NOT NULL,
	"is_execution_enabled" boolean DEFAULT false NOT NULL,
	"copies_project_files" boolean DEFAULT false NOT NULL,
	"version_id" uuid,
	"version_number" integer DEFAULT 0 NOT NULL,
	"view_count" integer DEFAULT 0 NOT NULL,
	"share_count" integer DEFAULT 0 NOT NULL,
	"clap_count" integer DEFAULT 0 NOT NULL,
	"clone_count" integer DEFAULT 0 NOT NULL,
	"run_count" integer DEFAULT 0 NOT NULL,
	"tag_names" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"published_at" timestamp (3) with time zone,
	"search_vector" "tsvector" GENERATED ALWAYS AS (setweight(to_tsvector('simple'::regconfig, "publications"."title"), 'A') || setweight(to_tsvector('simple'::regconfig, "publications"."description"), 'C') || array_to_tsvector("publications"."tag_names")) STORED
);
--> statement-breakpoint
ALTER TABLE "publication_authors" ADD CONSTRAINT "publication_authors_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publication_authors" ADD CONSTRAINT "publication_authors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publication_claps" ADD CONSTRAINT "publication_claps_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publication_claps" ADD CONSTRAINT "publication_claps_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publication_days" ADD CONSTRAINT "publication_days_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publication_slugs" ADD CONSTRAINT "publication_slugs_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publication_tags" ADD CONSTRAINT "publication_tags_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publication_tags" ADD CONSTRAINT "publication_tags_tag_id_tags_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publication_versions" ADD CONSTRAINT "publication_versions_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publication_versions" ADD CONSTRAINT "publication_versions_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publication_visits" ADD CONSTRAINT "publication_visits_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publications" ADD CONSTRAINT "publications_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publications" ADD CONSTRAINT "publications_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "publication_authors_user" ON "publication_authors" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "publication_claps_user" ON "publication_claps" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "publication_slugs_publication" ON "publication_slugs" USING btree ("publication_id");--> statement-breakpoint
CREATE INDEX "publication_tags_tag" ON "publication_tags" USING btree ("tag_id");--> statement-breakpoint
CREATE UNIQUE INDEX "publication_versions_number" ON "publication_versions" USING btree ("publication_id","number");--> statement-breakpoint
CREATE INDEX "publication_versions_source" ON "publication_versions" USING btree ("source_blob");--> statement-breakpoint
CREATE INDEX "publication_versions_html" ON "publication_versions" USING btree ("html_blob");--> statement-breakpoint
CREATE UNIQUE INDEX "publications_slug" ON "publications" USING btree ("slug");--> statement-breakpoint
CREATE UNIQUE INDEX "publications_file" ON "publications" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "publications_project" ON "publications" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "publications_cover" ON "publications" USING btree ("cover_asset_id");--> statement-breakpoint
CREATE INDEX "publications_shown_published" ON "publications" USING btree ("published_at" DESC NULLS LAST,"id") WHERE "publications"."access_level" = 'public' and "publications"."version_id" is not null;--> statement-breakpoint
CREATE INDEX "publications_shown_views" ON "publications" USING btree ("view_count" DESC NULLS LAST,"id") WHERE "publications"."access_level" = 'public' and "publications"."version_id" is not null;--> statement-breakpoint
CREATE INDEX "publications_shown_shares" ON "publications" USING btree ("share_count" DESC NULLS LAST,"id") WHERE "publications"."access_level" = 'public' and "publications"."version_id" is not null;--> statement-breakpoint
CREATE INDEX "publications_shown_title" ON "publications" USING btree (lower("title"),"id") WHERE "publications"."access_level" = 'public' and "publications"."version_id" is not null;--> statement-breakpoint
CREATE INDEX "publications_shown_category" ON "publications" USING btree ("category","type","published_at" DESC NULLS LAST) WHERE "publications"."access_level" = 'public' and "publications"."version_id" is not null;--> statement-breakpoint
CREATE INDEX "publications_words" ON "publications" USING gin ("search_vector");