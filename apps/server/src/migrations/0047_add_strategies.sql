CREATE TABLE "candle_months" (
	"id" uuid PRIMARY KEY NOT NULL,
	"exchange" text NOT NULL,
	"symbol" text NOT NULL,
	"interval" text NOT NULL,
	"month" text NOT NULL,
	"columns_blob" text NOT NULL,
	"rows" integer NOT NULL,
	"stored_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "strategy_decisions" (
	"id" text PRIMARY KEY NOT NULL,
	"run_id" uuid NOT NULL,
	"bar" bigint NOT NULL,
	"sequence" integer NOT NULL,
	"decision" jsonb NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"order_id" uuid,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "strategy_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"connection_id" uuid,
	"request_id" uuid NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"code_path" text NOT NULL,
	"code_blob" text NOT NULL,
	"parameters" jsonb NOT NULL,
	"settings" jsonb NOT NULL,
	"capital" text NOT NULL,
	"memory" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"last_bar" bigint,
	"closes_positions" boolean DEFAULT false NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "strategy_tests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"name" text,
	"state" text NOT NULL,
	"reason" text,
	"starter_id" uuid,
	"request_id" uuid NOT NULL,
	"job_id" uuid,
	"is_verified" boolean DEFAULT false NOT NULL,
	"look_ahead" text,
	"code_path" text NOT NULL,
	"code_blob" text NOT NULL,
	"parameters" jsonb NOT NULL,
	"settings" jsonb NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"tries" integer,
	"plan" jsonb,
	"summary" jsonb,
	"fingerprint" text,
	"result_blob" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "strategy_decisions" ADD CONSTRAINT "strategy_decisions_run_id_strategy_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."strategy_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "strategy_runs" ADD CONSTRAINT "strategy_runs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "strategy_runs" ADD CONSTRAINT "strategy_runs_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "strategy_runs" ADD CONSTRAINT "strategy_runs_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "strategy_runs" ADD CONSTRAINT "strategy_runs_connection_id_exchange_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."exchange_connections"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "strategy_tests" ADD CONSTRAINT "strategy_tests_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "strategy_tests" ADD CONSTRAINT "strategy_tests_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "strategy_tests" ADD CONSTRAINT "strategy_tests_starter_id_users_id_fk" FOREIGN KEY ("starter_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "candle_months_key" ON "candle_months" USING btree ("exchange","symbol","interval","month");--> statement-breakpoint
CREATE INDEX "candle_months_columns_blob" ON "candle_months" USING btree ("columns_blob");--> statement-breakpoint
CREATE INDEX "strategy_decisions_newest" ON "strategy_decisions" USING btree ("run_id","bar" DESC NULLS LAST,"at" DESC NULLS LAST,"sequence" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "strategy_decisions_open" ON "strategy_decisions" USING btree ("run_id") WHERE "strategy_decisions"."state" = 'decided';--> statement-breakpoint
CREATE UNIQUE INDEX "strategy_runs_request" ON "strategy_runs" USING btree ("owner_id","request_id");--> statement-breakpoint
CREATE INDEX "strategy_runs_file" ON "strategy_runs" USING btree ("file_id","started_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "strategy_runs_project" ON "strategy_runs" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "strategy_runs_connection" ON "strategy_runs" USING btree ("connection_id");--> statement-breakpoint
CREATE INDEX "strategy_runs_code_blob" ON "strategy_runs" USING btree ("code_blob");--> statement-breakpoint
CREATE INDEX "strategy_runs_going" ON "strategy_runs" USING btree ("id") WHERE "strategy_runs"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "strategy_tests_number" ON "strategy_tests" USING btree ("file_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "strategy_tests_request" ON "strategy_tests" USING btree ("file_id","request_id");--> statement-breakpoint
CREATE INDEX "strategy_tests_project" ON "strategy_tests" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "strategy_tests_starter" ON "strategy_tests" USING btree ("starter_id");--> statement-breakpoint
CREATE INDEX "strategy_tests_code_blob" ON "strategy_tests" USING btree ("code_blob");--> statement-breakpoint
CREATE INDEX "strategy_tests_result_blob" ON "strategy_tests" USING btree ("result_blob");