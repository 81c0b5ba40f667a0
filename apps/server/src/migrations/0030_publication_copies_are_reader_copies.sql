INSERT INTO "reader_copies" ("project_id", "source_id", "version", "user_id", "used_at")
SELECT "project_id", "publication_id", "version_id"::text, "user_id", "used_at" FROM "publication_copies";--> statement-breakpoint
DROP TABLE "publication_copies" CASCADE;
