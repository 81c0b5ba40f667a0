CREATE TABLE "daily_figures" (
	"day" date NOT NULL,
	"name" text NOT NULL,
	"value" bigint NOT NULL,
	"counted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "daily_figures_day_name_pk" PRIMARY KEY("day","name")
);
--> statement-breakpoint
CREATE TABLE "usage_sums" (
	"group" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"counted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "kernel_samples" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"server_id" uuid NOT NULL,
	"kernels" integer NOT NULL,
	"memory_bytes" bigint NOT NULL,
	"cpu_ms" bigint NOT NULL,
	"sampled_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tracked_days" (
	"day" date NOT NULL,
	"name" text NOT NULL,
	"events" integer NOT NULL,
	"people" integer NOT NULL,
	CONSTRAINT "tracked_days_day_name_pk" PRIMARY KEY("day","name")
);
--> statement-breakpoint
DROP INDEX "tracked_events_user";--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "limits" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "kernel_samples" ADD CONSTRAINT "kernel_samples_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "kernel_samples_time" ON "kernel_samples" USING btree ("sampled_at");--> statement-breakpoint
CREATE INDEX "kernel_samples_user" ON "kernel_samples" USING btree ("user_id","sampled_at");--> statement-breakpoint
CREATE INDEX "tracked_days_name" ON "tracked_days" USING btree ("name","day");--> statement-breakpoint
CREATE INDEX "kernel_sessions_started" ON "kernel_sessions" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "runs_started" ON "runs" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "tracked_events_name" ON "tracked_events" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "tracked_events_share" ON "tracked_events" USING btree ("name",(uuid_hash("user_id") & 63),"created_at","user_id");--> statement-breakpoint
CREATE INDEX "user_roles_role" ON "user_roles" USING btree ("role_id","user_id");--> statement-breakpoint
CREATE INDEX "users_of_plan" ON "users" USING btree ("plan","created_at","id") WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "users_suspended" ON "users" USING btree ("created_at","id") WHERE "users"."suspended_at" is not null;--> statement-breakpoint
CREATE INDEX "users_deleted" ON "users" USING btree ("created_at","id") WHERE "users"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "users_guests" ON "users" USING btree ("created_at","id") WHERE "users"."is_guest";--> statement-breakpoint
CREATE INDEX "users_with_own_features" ON "users" USING btree ("id") WHERE "users"."features" <> '{}'::jsonb;--> statement-breakpoint
CREATE INDEX "credit_requests_of_admin" ON "credit_requests" USING btree ("requested_by_id","created_at");--> statement-breakpoint
CREATE INDEX "events_failed" ON "events" USING btree ("id") WHERE "events"."last_error" is not null;--> statement-breakpoint
CREATE INDEX "tracked_events_user" ON "tracked_events" USING btree ("user_id","id");