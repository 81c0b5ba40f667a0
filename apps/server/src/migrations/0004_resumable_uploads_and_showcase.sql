CREATE TABLE "project_showcase" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "size" integer;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "kind" text DEFAULT 'file' NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "received" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "content_kind" text;--> statement-breakpoint
ALTER TABLE "project_showcase" ADD CONSTRAINT "project_showcase_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "project_showcase_project" ON "project_showcase" USING btree ("project_id","position");--> statement-breakpoint
INSERT INTO "project_showcase" ("id", "project_id", "asset_id", "position", "created_at") SELECT gen_random_uuid(), "id", "showcase_asset_id", 0, "updated_at" FROM "projects" WHERE "showcase_asset_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" DROP COLUMN "showcase_asset_id";--> statement-breakpoint
ALTER TABLE "projects" DROP COLUMN "showcase_mime_type";