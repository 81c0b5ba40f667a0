CREATE TABLE "notebook_items" (
	"file_id" uuid NOT NULL,
	"id" text NOT NULL,
	"fields" json,
	"revision" integer NOT NULL,
	CONSTRAINT "notebook_items_file_id_id_pk" PRIMARY KEY("file_id","id")
);
--> statement-breakpoint
ALTER TABLE "notebook_items" ADD CONSTRAINT "notebook_items_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;