CREATE TABLE "ai_conversations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"state" text DEFAULT 'idle' NOT NULL,
	"configuration" jsonb NOT NULL,
	"last_seq" integer DEFAULT 0 NOT NULL,
	"last_snapshot" integer DEFAULT 0 NOT NULL,
	"streaming" jsonb,
	"units" double precision DEFAULT 0 NOT NULL,
	"run_by_id" uuid,
	"is_stop_requested" boolean DEFAULT false NOT NULL,
	"lease" uuid,
	"lease_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"archived_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "ai_events" (
	"conversation_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"kind" text NOT NULL,
	"payload" jsonb NOT NULL,
	"user_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ai_events_conversation_id_seq_pk" PRIMARY KEY("conversation_id","seq")
);
--> statement-breakpoint
CREATE TABLE "ai_providers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"base_url" text,
	"models" jsonb NOT NULL,
	"sealed_key" text,
	"seal_id" text,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ai_snapshot_files" (
	"conversation_id" uuid NOT NULL,
	"snapshot" integer NOT NULL,
	"file_id" uuid NOT NULL,
	"path" text NOT NULL,
	"content_blob" text,
	"size" integer NOT NULL,
	"version" integer NOT NULL,
	CONSTRAINT "ai_snapshot_files_conversation_id_file_id_snapshot_pk" PRIMARY KEY("conversation_id","file_id","snapshot")
);
--> statement-breakpoint
CREATE TABLE "ai_usage" (
	"user_id" uuid NOT NULL,
	"day" date NOT NULL,
	"scope_id" uuid NOT NULL,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"units" double precision NOT NULL,
	"charged_units" integer NOT NULL,
	CONSTRAINT "ai_usage_user_id_day_scope_id_pk" PRIMARY KEY("user_id","day","scope_id")
);
--> statement-breakpoint
ALTER TABLE "ai_conversations" ADD CONSTRAINT "ai_conversations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_conversations" ADD CONSTRAINT "ai_conversations_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_conversations" ADD CONSTRAINT "ai_conversations_run_by_id_users_id_fk" FOREIGN KEY ("run_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_events" ADD CONSTRAINT "ai_events_conversation_id_ai_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."ai_conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_events" ADD CONSTRAINT "ai_events_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_providers" ADD CONSTRAINT "ai_providers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_snapshot_files" ADD CONSTRAINT "ai_snapshot_files_conversation_id_ai_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."ai_conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_usage" ADD CONSTRAINT "ai_usage_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "ai_conversations_current" ON "ai_conversations" USING btree ("file_id") WHERE "ai_conversations"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "ai_conversations_file" ON "ai_conversations" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "ai_conversations_project" ON "ai_conversations" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "ai_conversations_run_by" ON "ai_conversations" USING btree ("run_by_id");--> statement-breakpoint
CREATE INDEX "ai_conversations_running" ON "ai_conversations" USING btree ("lease_until") WHERE "ai_conversations"."state" = 'running';--> statement-breakpoint
CREATE INDEX "ai_events_user" ON "ai_events" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "ai_providers_user" ON "ai_providers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "ai_snapshot_files_blob" ON "ai_snapshot_files" USING btree ("content_blob");