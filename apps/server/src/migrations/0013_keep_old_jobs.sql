ALTER TABLE "jobs" RENAME TO "jobs_before";--> statement-breakpoint
ALTER INDEX "jobs_pkey" RENAME TO "jobs_before_pkey";
