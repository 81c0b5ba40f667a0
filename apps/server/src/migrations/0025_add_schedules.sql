CREATE TABLE "schedule_firings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"schedule_id" uuid NOT NULL,
	"scheduled_for" timestamp (3) with time zone NOT NULL,
	"trigger" text NOT NULL,
	"starter_id" uuid,
	"missed_count" integer DEFAULT 0 NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"run_id" uuid,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"publication_id" uuid,
	"owner_id" uuid NOT NULL,
	"type" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"time_zone" text NOT NULL,
	"interval_type" text NOT NULL,
	"interval_value" integer NOT NULL,
	"allowed_days" jsonb NOT NULL,
	"is_with_secrets" boolean NOT NULL,
	"last_run_at" timestamp (3) with time zone,
	"next_run_at" timestamp (3) with time zone,
	"failures_in_row" integer DEFAULT 0 NOT NULL,
	"paused_reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "schedule_firings" ADD CONSTRAINT "schedule_firings_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_firings" ADD CONSTRAINT "schedule_firings_starter_id_users_id_fk" FOREIGN KEY ("starter_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_firings" ADD CONSTRAINT "schedule_firings_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "schedule_firings_once" ON "schedule_firings" USING btree ("schedule_id","scheduled_for");--> statement-breakpoint
CREATE INDEX "schedule_firings_newest" ON "schedule_firings" USING btree ("schedule_id","started_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "schedule_firings_run" ON "schedule_firings" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "schedule_firings_running" ON "schedule_firings" USING btree ("started_at") WHERE "schedule_firings"."state" = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX "schedules_file" ON "schedules" USING btree ("file_id") WHERE "schedules"."publication_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "schedules_publication" ON "schedules" USING btree ("publication_id");--> statement-breakpoint
CREATE INDEX "schedules_owner" ON "schedules" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "schedules_project" ON "schedules" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "schedules_next" ON "schedules" USING btree ("next_run_at") WHERE "schedules"."next_run_at" is not null;