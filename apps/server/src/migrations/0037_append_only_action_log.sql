CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Entries of % are never changed', TG_TABLE_NAME;
END $$;--> statement-breakpoint
CREATE TRIGGER action_logs_append_only BEFORE UPDATE OR DELETE ON "action_logs" FOR EACH ROW EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER action_logs_never_empty BEFORE TRUNCATE ON "action_logs" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
