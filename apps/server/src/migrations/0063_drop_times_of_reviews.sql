ALTER TABLE "file_reviews" DROP COLUMN "seen_at";--> statement-breakpoint
ALTER TABLE "file_reviews" DROP COLUMN "accepted_at";--> statement-breakpoint
ALTER TABLE "files" DROP COLUMN "changed_at";