CREATE TABLE "cell_locks" (
	"file_id" uuid NOT NULL,
	"cell_id" text NOT NULL,
	"project_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"channel_id" text NOT NULL,
	"tag" text NOT NULL,
	"acquired_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cell_locks_file_id_cell_id_pk" PRIMARY KEY("file_id","cell_id")
);
--> statement-breakpoint
CREATE TABLE "notebook_cells" (
	"file_id" uuid NOT NULL,
	"id" text NOT NULL,
	"rank" text NOT NULL,
	"type" text NOT NULL,
	"source" text NOT NULL,
	"metadata" json NOT NULL,
	"attachments" json,
	"revision" integer NOT NULL,
	"shown" text NOT NULL,
	"outputs" json,
	"execution_id" uuid,
	"execution_count" integer,
	"executed_by_id" uuid,
	"deleted_at" timestamp (3) with time zone,
	"deleted_by_id" uuid,
	CONSTRAINT "notebook_cells_file_id_id_pk" PRIMARY KEY("file_id","id")
);
--> statement-breakpoint
CREATE TABLE "notebook_jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"file_id" uuid NOT NULL,
	"cell_id" text NOT NULL,
	"batch_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"code" text NOT NULL,
	"place" double precision NOT NULL,
	"state" text NOT NULL,
	"question" jsonb,
	"server_id" uuid NOT NULL,
	"queued_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notebooks" (
	"file_id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"base_blob" text,
	"base_version" integer,
	"metadata" json DEFAULT '{}'::json NOT NULL,
	"head_revision" integer DEFAULT 0 NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"kernel" text,
	"tier" text DEFAULT 'l1' NOT NULL,
	"is_gpu" boolean DEFAULT false NOT NULL,
	"session_id" uuid,
	"is_autorun" boolean DEFAULT false NOT NULL,
	"is_parallel" boolean DEFAULT false NOT NULL,
	"unsaved_since" timestamp (3) with time zone,
	"changed_at" timestamp (3) with time zone,
	"changed_by_id" uuid
);
--> statement-breakpoint
ALTER TABLE "kernel_sessions" ADD COLUMN "has_secrets" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "cell_locks" ADD CONSTRAINT "cell_locks_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cell_locks" ADD CONSTRAINT "cell_locks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cell_locks" ADD CONSTRAINT "cell_locks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notebook_cells" ADD CONSTRAINT "notebook_cells_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notebook_cells" ADD CONSTRAINT "notebook_cells_executed_by_id_users_id_fk" FOREIGN KEY ("executed_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notebook_cells" ADD CONSTRAINT "notebook_cells_deleted_by_id_users_id_fk" FOREIGN KEY ("deleted_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notebook_jobs" ADD CONSTRAINT "notebook_jobs_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notebook_jobs" ADD CONSTRAINT "notebook_jobs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notebooks" ADD CONSTRAINT "notebooks_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notebooks" ADD CONSTRAINT "notebooks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notebooks" ADD CONSTRAINT "notebooks_changed_by_id_users_id_fk" FOREIGN KEY ("changed_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cell_locks_channel" ON "cell_locks" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "cell_locks_expires" ON "cell_locks" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "notebook_jobs_file" ON "notebook_jobs" USING btree ("file_id","place");--> statement-breakpoint
CREATE INDEX "notebook_jobs_server" ON "notebook_jobs" USING btree ("server_id");--> statement-breakpoint
CREATE INDEX "notebooks_unsaved" ON "notebooks" USING btree ("unsaved_since") WHERE "notebooks"."unsaved_since" is not null;