CREATE TABLE "file_changes" (
	"number" bigserial PRIMARY KEY NOT NULL,
	"file_id" uuid NOT NULL,
	"user_id" uuid,
	"changed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "file_reviews" ADD COLUMN "seen" bigint NOT NULL;--> statement-breakpoint
ALTER TABLE "notebooks" ADD COLUMN "is_edited" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "is_awaiting_review" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "required_review" text;--> statement-breakpoint
ALTER TABLE "file_changes" ADD CONSTRAINT "file_changes_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_changes" ADD CONSTRAINT "file_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "file_changes_file" ON "file_changes" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "file_changes_user" ON "file_changes" USING btree ("user_id") WHERE "file_changes"."user_id" is not null;