CREATE TABLE "search_words" (
	"word" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
DROP INDEX "projects_trigrams";--> statement-breakpoint
DROP INDEX "projects_words";--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "tag_facets" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "search_vector" "tsvector" GENERATED ALWAYS AS (setweight(to_tsvector('simple'::regconfig, "projects"."name"), 'A') || setweight(to_tsvector('simple'::regconfig, "projects"."search_text"), 'C') || array_to_tsvector("projects"."tag_facets" || array['kind:' || "projects"."kind", case when "projects"."deleted_at" is null and "projects"."visibility" in ('public', 'open') then 'is:shown' else 'is:hidden' end])) STORED;--> statement-breakpoint
CREATE INDEX "search_words_beginnings" ON "search_words" USING btree ("word" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "search_words_trigrams" ON "search_words" USING gin ("word" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "projects_words" ON "projects" USING gin ("search_vector");--> statement-breakpoint
UPDATE "projects" SET "tag_facets" = "found"."facets" FROM (
	SELECT "project_id", array_agg('tag:' || lower("name")) AS "facets" FROM "project_tags" JOIN "tags" ON "tags"."id" = "tag_id" GROUP BY "project_id"
) "found" WHERE "projects"."id" = "found"."project_id";--> statement-breakpoint
INSERT INTO "search_words" SELECT DISTINCT unnest(tsvector_to_array(to_tsvector('simple', "search_text"))) FROM "projects";
