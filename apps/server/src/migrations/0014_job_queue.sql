CREATE TABLE "job_schedules" (
	"name" text PRIMARY KEY NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"payload" jsonb NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"key" text,
	"owner_id" uuid,
	"priority" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lease_id" uuid,
	"lease_until" timestamp (3) with time zone,
	"cancel_reason" text,
	"progress" real,
	"message" text,
	"reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "jobs_queued" ON "jobs" USING btree ("kind","priority" DESC NULLS LAST,"due_at","id") WHERE "jobs"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "jobs_running" ON "jobs" USING btree ("lease_until") WHERE "jobs"."state" = 'running';--> statement-breakpoint
CREATE INDEX "jobs_ended" ON "jobs" USING btree ("ended_at") WHERE "jobs"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "jobs_owner" ON "jobs" USING btree ("owner_id","created_at") WHERE "jobs"."owner_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_key" ON "jobs" USING btree ("kind","key") WHERE "jobs"."state" in ('queued', 'running');--> statement-breakpoint
INSERT INTO "jobs" ("id", "kind", "payload", "state", "due_at", "attempts", "reason", "created_at", "ended_at")
SELECT "id", CASE "name" WHEN 'notify' THEN 'notifications.notify_many' ELSE 'notifications.digest' END, "payload",
	CASE WHEN "due_at" IS NULL THEN 'failed' ELSE 'queued' END, coalesce("due_at", "created_at"), 0, "last_error", "created_at",
	CASE WHEN "due_at" IS NULL THEN "created_at" END
FROM "jobs_before" WHERE "name" IN ('notify', 'digest');--> statement-breakpoint
DROP TABLE "jobs_before";
