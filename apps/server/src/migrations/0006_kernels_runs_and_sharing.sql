CREATE TABLE "execution_outputs" (
	"execution_id" uuid NOT NULL,
	"index" integer NOT NULL,
	"output" jsonb NOT NULL,
	"display_id" text,
	CONSTRAINT "execution_outputs_execution_id_index_pk" PRIMARY KEY("execution_id","index")
);
--> statement-breakpoint
CREATE TABLE "executions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"cell" text,
	"topic" text,
	"state" text NOT NULL,
	"execution_count" integer,
	"error_name" text,
	"reason" text,
	"longest_ms" bigint,
	"output_bytes" bigint DEFAULT 0 NOT NULL,
	"clears_with_next" boolean DEFAULT false NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"milliseconds" bigint
);
--> statement-breakpoint
CREATE TABLE "kernel_choices" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"kernel" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "kernel_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"project_id" uuid,
	"file_id" uuid,
	"kernel" text NOT NULL,
	"tier" text NOT NULL,
	"purpose" text NOT NULL,
	"saves_files" boolean NOT NULL,
	"state" text NOT NULL,
	"server_id" uuid NOT NULL,
	"host_id" uuid NOT NULL,
	"stored_sequence" integer DEFAULT 0 NOT NULL,
	"end_reason" text,
	"end_message" text,
	"stop_reason" text,
	"stop_message" text,
	"lease_id" uuid,
	"lease_base_ms" bigint DEFAULT 0 NOT NULL,
	"executions_count" integer DEFAULT 0 NOT NULL,
	"used_ms" bigint DEFAULT 0 NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"active_at" timestamp (3) with time zone NOT NULL,
	"heartbeat_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "project_shares" (
	"project_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"counted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "project_shares_project_id_user_id_kind_pk" PRIMARY KEY("project_id","user_id","kind")
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"file_id" uuid,
	"file_path" text NOT NULL,
	"version_id" uuid NOT NULL,
	"version_number" integer NOT NULL,
	"source_blob" text NOT NULL,
	"result_blob" text,
	"number" integer NOT NULL,
	"starter_id" uuid,
	"type" text NOT NULL,
	"kernel" text NOT NULL,
	"tier" text NOT NULL,
	"lease_id" uuid NOT NULL,
	"saves_files" boolean NOT NULL,
	"session_id" uuid,
	"status" text NOT NULL,
	"error_reason" text,
	"cells_done" integer DEFAULT 0 NOT NULL,
	"cells_total" integer,
	"notices" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"server_id" uuid NOT NULL,
	"stop_requested_at" timestamp (3) with time zone,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "execution_outputs" ADD CONSTRAINT "execution_outputs_execution_id_executions_id_fk" FOREIGN KEY ("execution_id") REFERENCES "public"."executions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "executions" ADD CONSTRAINT "executions_session_id_kernel_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."kernel_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kernel_choices" ADD CONSTRAINT "kernel_choices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kernel_sessions" ADD CONSTRAINT "kernel_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kernel_sessions" ADD CONSTRAINT "kernel_sessions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kernel_sessions" ADD CONSTRAINT "kernel_sessions_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_shares" ADD CONSTRAINT "project_shares_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_shares" ADD CONSTRAINT "project_shares_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_starter_id_users_id_fk" FOREIGN KEY ("starter_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_session_id_kernel_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."kernel_sessions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "executions_session" ON "executions" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "executions_batch" ON "executions" USING btree ("batch_id","started_at");--> statement-breakpoint
CREATE INDEX "kernel_sessions_user" ON "kernel_sessions" USING btree ("user_id","started_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "kernel_sessions_live" ON "kernel_sessions" USING btree ("server_id") WHERE "kernel_sessions"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "runs_number" ON "runs" USING btree ("project_id","number");--> statement-breakpoint
CREATE INDEX "runs_file" ON "runs" USING btree ("file_id","number" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "runs_going" ON "runs" USING btree ("server_id") WHERE "runs"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "runs_source_blob" ON "runs" USING btree ("source_blob");--> statement-breakpoint
CREATE INDEX "runs_result_blob" ON "runs" USING btree ("result_blob");--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin (lower("user_name" || ' ' || "first_name" || ' ' || "last_name") gin_trgm_ops);