DROP INDEX "publications_shown_published";--> statement-breakpoint
DROP INDEX "publications_shown_views";--> statement-breakpoint
DROP INDEX "publications_shown_shares";--> statement-breakpoint
DROP INDEX "publications_shown_title";--> statement-breakpoint
DROP INDEX "publications_shown_category";--> statement-breakpoint
ALTER TABLE "publications" ADD COLUMN "is_binned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "publications_shown_type" ON "publications" USING btree ("type","published_at" DESC NULLS LAST,"id") WHERE "publications"."access_level" = 'public' and "publications"."version_id" is not null and not "publications"."is_binned";--> statement-breakpoint
CREATE INDEX "publications_shown_published" ON "publications" USING btree ("published_at" DESC NULLS LAST,"id") WHERE "publications"."access_level" = 'public' and "publications"."version_id" is not null and not "publications"."is_binned";--> statement-breakpoint
CREATE INDEX "publications_shown_views" ON "publications" USING btree ("view_count" DESC NULLS LAST,"id") WHERE "publications"."access_level" = 'public' and "publications"."version_id" is not null and not "publications"."is_binned";--> statement-breakpoint
CREATE INDEX "publications_shown_shares" ON "publications" USING btree ("share_count" DESC NULLS LAST,"id") WHERE "publications"."access_level" = 'public' and "publications"."version_id" is not null and not "publications"."is_binned";--> statement-breakpoint
CREATE INDEX "publications_shown_title" ON "publications" USING btree (lower("title"),"id") WHERE "publications"."access_level" = 'public' and "publications"."version_id" is not null and not "publications"."is_binned";--> statement-breakpoint
CREATE INDEX "publications_shown_category" ON "publications" USING btree ("category","published_at" DESC NULLS LAST,"id") WHERE "publications"."access_level" = 'public' and "publications"."version_id" is not null and not "publications"."is_binned";