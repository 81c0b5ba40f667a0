ALTER TABLE "credit_requests" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "credit_requests" ADD COLUMN "voucher_id" uuid;--> statement-breakpoint
ALTER TABLE "credit_requests" ADD CONSTRAINT "credit_requests_voucher_id_vouchers_id_fk" FOREIGN KEY ("voucher_id") REFERENCES "public"."vouchers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "credit_requests_voucher" ON "credit_requests" USING btree ("voucher_id");--> statement-breakpoint
ALTER TABLE "credit_requests" ADD CONSTRAINT "credit_requests_for" CHECK (num_nonnulls("credit_requests"."user_id", "credit_requests"."voucher_id") = 1);