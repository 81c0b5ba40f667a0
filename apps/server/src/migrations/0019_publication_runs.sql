CREATE TABLE "publication_runs" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"file_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"update" jsonb NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"reason" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "publication_runs" ADD CONSTRAINT "publication_runs_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publication_runs" ADD CONSTRAINT "publication_runs_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publication_runs" ADD CONSTRAINT "publication_runs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "publication_runs_file" ON "publication_runs" USING btree ("file_id","created_at" DESC NULLS LAST);