CREATE TABLE "ai_tool_policies" (
	"user_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"policies" jsonb NOT NULL,
	CONSTRAINT "ai_tool_policies_user_id_file_id_pk" PRIMARY KEY("user_id","file_id")
);
--> statement-breakpoint
CREATE TABLE "file_reviews" (
	"user_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	CONSTRAINT "file_reviews_user_id_file_id_pk" PRIMARY KEY("user_id","file_id")
);
--> statement-breakpoint
CREATE TABLE "project_offers" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"from_id" uuid NOT NULL,
	"to_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "changed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "is_awaiting_review" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "ai_tool_policies" ADD CONSTRAINT "ai_tool_policies_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_tool_policies" ADD CONSTRAINT "ai_tool_policies_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_reviews" ADD CONSTRAINT "file_reviews_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_reviews" ADD CONSTRAINT "file_reviews_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_offers" ADD CONSTRAINT "project_offers_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_offers" ADD CONSTRAINT "project_offers_from_id_users_id_fk" FOREIGN KEY ("from_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_offers" ADD CONSTRAINT "project_offers_to_id_users_id_fk" FOREIGN KEY ("to_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ai_tool_policies_file" ON "ai_tool_policies" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "file_reviews_file" ON "file_reviews" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "project_offers_from" ON "project_offers" USING btree ("from_id");--> statement-breakpoint
CREATE INDEX "project_offers_to" ON "project_offers" USING btree ("to_id");