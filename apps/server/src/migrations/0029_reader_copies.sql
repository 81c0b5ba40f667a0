CREATE TABLE "reader_copies" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"source_id" uuid NOT NULL,
	"version" text NOT NULL,
	"user_id" uuid NOT NULL,
	"used_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "reader_copies" ADD CONSTRAINT "reader_copies_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reader_copies" ADD CONSTRAINT "reader_copies_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "reader_copies_reader" ON "reader_copies" USING btree ("source_id","version","user_id");