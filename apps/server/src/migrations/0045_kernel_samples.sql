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
ALTER TABLE "kernel_samples" ADD CONSTRAINT "kernel_samples_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "kernel_samples_time" ON "kernel_samples" USING btree ("sampled_at");--> statement-breakpoint
CREATE INDEX "kernel_samples_user" ON "kernel_samples" USING btree ("user_id","sampled_at");