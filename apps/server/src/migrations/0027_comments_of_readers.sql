-- What readers say about a publication is not among the comments of its project.
CREATE OR REPLACE FUNCTION "comments_counted"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE change int := coalesce((TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL)::int, 0) - coalesce((TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL)::int, 0);
BEGIN
  IF change <> 0 AND coalesce(NEW.publication_id, OLD.publication_id) IS NULL THEN
    UPDATE projects SET comment_count = comment_count + change WHERE id = coalesce(NEW.project_id, OLD.project_id);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
UPDATE projects SET comment_count = comment_count - said.total
FROM (SELECT project_id, count(*)::int AS total FROM comments WHERE publication_id IS NOT NULL AND deleted_at IS NULL GROUP BY project_id) said
WHERE projects.id = said.project_id;
