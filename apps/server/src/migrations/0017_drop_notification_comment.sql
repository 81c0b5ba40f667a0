ALTER TABLE "notifications" DROP CONSTRAINT "notifications_comment_id_comments_id_fk";
--> statement-breakpoint
DROP INDEX "notifications_comment";--> statement-breakpoint
ALTER TABLE "notifications" DROP COLUMN "comment_id";