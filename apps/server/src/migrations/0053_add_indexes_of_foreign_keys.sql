CREATE INDEX "file_locks_project" ON "file_locks" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "file_locks_user" ON "file_locks" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "comment_reactions_user" ON "comment_reactions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "comment_reports_user" ON "comment_reports" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "comments_author" ON "comments" USING btree ("author_id") WHERE "comments"."author_id" is not null;--> statement-breakpoint
CREATE INDEX "comments_project" ON "comments" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "comments_resolved_by" ON "comments" USING btree ("resolved_by_id") WHERE "comments"."resolved_by_id" is not null;--> statement-breakpoint
CREATE INDEX "embeds_created_by" ON "embeds" USING btree ("created_by_id") WHERE "embeds"."created_by_id" is not null;--> statement-breakpoint
CREATE INDEX "file_versions_author" ON "file_versions" USING btree ("author_id") WHERE "file_versions"."author_id" is not null;--> statement-breakpoint
CREATE INDEX "files_updated_by" ON "files" USING btree ("updated_by_id") WHERE "files"."updated_by_id" is not null;--> statement-breakpoint
CREATE INDEX "kernel_sessions_file" ON "kernel_sessions" USING btree ("file_id") WHERE "kernel_sessions"."file_id" is not null;--> statement-breakpoint
CREATE INDEX "kernel_sessions_project" ON "kernel_sessions" USING btree ("project_id") WHERE "kernel_sessions"."project_id" is not null;--> statement-breakpoint
CREATE INDEX "cell_locks_project" ON "cell_locks" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "cell_locks_user" ON "cell_locks" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "notebook_cells_executed_by" ON "notebook_cells" USING btree ("executed_by_id") WHERE "notebook_cells"."executed_by_id" is not null;--> statement-breakpoint
CREATE INDEX "notebook_cells_deleted_by" ON "notebook_cells" USING btree ("deleted_by_id") WHERE "notebook_cells"."deleted_by_id" is not null;--> statement-breakpoint
CREATE INDEX "notebook_jobs_user" ON "notebook_jobs" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "notebooks_autorun_by" ON "notebooks" USING btree ("autorun_by_id") WHERE "notebooks"."autorun_by_id" is not null;--> statement-breakpoint
CREATE INDEX "notebooks_changed_by" ON "notebooks" USING btree ("changed_by_id") WHERE "notebooks"."changed_by_id" is not null;--> statement-breakpoint
CREATE INDEX "notebooks_project" ON "notebooks" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "notifications_subject" ON "notifications" USING btree ("subject_id") WHERE "notifications"."subject_id" is not null;--> statement-breakpoint
CREATE INDEX "team_notifications_actor" ON "team_notifications" USING btree ("actor_id") WHERE "team_notifications"."actor_id" is not null;--> statement-breakpoint
CREATE INDEX "team_notifications_project" ON "team_notifications" USING btree ("project_id") WHERE "team_notifications"."project_id" is not null;--> statement-breakpoint
CREATE INDEX "team_notifications_subject" ON "team_notifications" USING btree ("subject_id") WHERE "team_notifications"."subject_id" is not null;--> statement-breakpoint
CREATE INDEX "project_links_created_by" ON "project_links" USING btree ("created_by_id") WHERE "project_links"."created_by_id" is not null;--> statement-breakpoint
CREATE INDEX "project_shares_user" ON "project_shares" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "projects_creator" ON "projects" USING btree ("creator_id") WHERE "projects"."creator_id" is not null;--> statement-breakpoint
CREATE INDEX "projects_owner" ON "projects" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "publication_runs_user" ON "publication_runs" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "publication_versions_author" ON "publication_versions" USING btree ("author_id") WHERE "publication_versions"."author_id" is not null;--> statement-breakpoint
CREATE INDEX "reader_copies_user" ON "reader_copies" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "referrals_rate_plan" ON "referrals" USING btree ("rate_plan_id") WHERE "referrals"."rate_plan_id" is not null;--> statement-breakpoint
CREATE INDEX "referrals_team" ON "referrals" USING btree ("team_id") WHERE "referrals"."team_id" is not null;--> statement-breakpoint
CREATE INDEX "runs_starter" ON "runs" USING btree ("starter_id") WHERE "runs"."starter_id" is not null;--> statement-breakpoint
CREATE INDEX "schedule_firings_starter" ON "schedule_firings" USING btree ("starter_id") WHERE "schedule_firings"."starter_id" is not null;--> statement-breakpoint
CREATE INDEX "schedules_of_file" ON "schedules" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "sessions_actor" ON "sessions" USING btree ("actor_id") WHERE "sessions"."actor_id" is not null;--> statement-breakpoint
CREATE INDEX "socket_tokens_session" ON "socket_tokens" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "access_requests_answered_by" ON "access_requests" USING btree ("answered_by_id") WHERE "access_requests"."answered_by_id" is not null;--> statement-breakpoint
CREATE INDEX "project_invites_invited_by" ON "project_invites" USING btree ("invited_by_id") WHERE "project_invites"."invited_by_id" is not null;--> statement-breakpoint
CREATE INDEX "oauth_states_session" ON "oauth_states" USING btree ("session_id") WHERE "oauth_states"."session_id" is not null;--> statement-breakpoint
CREATE INDEX "one_time_tokens_user" ON "one_time_tokens" USING btree ("user_id") WHERE "one_time_tokens"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "subscription_changes_rate_plan" ON "subscription_changes" USING btree ("rate_plan_id");--> statement-breakpoint
CREATE INDEX "subscriptions_next_plan" ON "subscriptions" USING btree ("next_plan_id") WHERE "subscriptions"."next_plan_id" is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_rate_plan" ON "subscriptions" USING btree ("rate_plan_id");--> statement-breakpoint
CREATE INDEX "trials_rate_plan" ON "trials" USING btree ("rate_plan_id");--> statement-breakpoint
CREATE INDEX "team_invites_invited_by" ON "team_invites" USING btree ("invited_by_id") WHERE "team_invites"."invited_by_id" is not null;--> statement-breakpoint
CREATE INDEX "team_join_requests_answered_by" ON "team_join_requests" USING btree ("answered_by_id") WHERE "team_join_requests"."answered_by_id" is not null;--> statement-breakpoint
CREATE INDEX "teams_created_by" ON "teams" USING btree ("created_by_id") WHERE "teams"."created_by_id" is not null;--> statement-breakpoint
CREATE INDEX "credit_requests_user" ON "credit_requests" USING btree ("user_id");