CREATE TABLE "vouchers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"code_hash" text NOT NULL,
	"units" integer NOT NULL,
	"count" integer NOT NULL,
	"redeemed" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"note" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "vouchers_redeemed" CHECK ("vouchers"."redeemed" between 0 and "vouchers"."count")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "vouchers_code" ON "vouchers" USING btree ("code_hash");