CREATE TABLE "portfolio_connections" (
	"project_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	CONSTRAINT "portfolio_connections_project_id_connection_id_pk" PRIMARY KEY("project_id","connection_id")
);
--> statement-breakpoint
CREATE TABLE "portfolio_days" (
	"project_id" uuid NOT NULL,
	"day" date NOT NULL,
	"equity" numeric NOT NULL,
	"flow" numeric NOT NULL,
	CONSTRAINT "portfolio_days_project_id_day_pk" PRIMARY KEY("project_id","day")
);
--> statement-breakpoint
CREATE TABLE "portfolio_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"asset" text NOT NULL,
	"amount" numeric NOT NULL,
	"price" numeric NOT NULL,
	"fee" numeric NOT NULL,
	"note" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "portfolios" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"exchange" text NOT NULL,
	"trade_asset" text NOT NULL,
	"targets" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"start_equity" numeric DEFAULT '0' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "portfolio_connections" ADD CONSTRAINT "portfolio_connections_project_id_portfolios_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."portfolios"("project_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "portfolio_connections" ADD CONSTRAINT "portfolio_connections_connection_id_exchange_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."exchange_connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "portfolio_days" ADD CONSTRAINT "portfolio_days_project_id_portfolios_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."portfolios"("project_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "portfolio_entries" ADD CONSTRAINT "portfolio_entries_project_id_portfolios_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."portfolios"("project_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "portfolios" ADD CONSTRAINT "portfolios_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "portfolio_connections_connection" ON "portfolio_connections" USING btree ("connection_id");--> statement-breakpoint
CREATE INDEX "portfolio_entries_newest" ON "portfolio_entries" USING btree ("project_id","at" DESC NULLS LAST,"id" DESC NULLS LAST);