CREATE TABLE "ai_prices" (
	"model" text PRIMARY KEY NOT NULL,
	"input_units" double precision NOT NULL,
	"output_units" double precision NOT NULL,
	"context_tokens" integer NOT NULL
);
