import type { PersonSummary } from '@atoll/contract/projects/entity';
import { personName } from '@atoll/contract/users/names';
import { Link } from '@tanstack/react-router';
import classes from '../components/admin.module.css';

/** A person in a list, who leads to their account. */
export function PersonCell({ person }: { person: PersonSummary | null }) {
  if (!person) return <span className={classes.detail}>–</span>;
  return (
    <>
      <Link to="/admin/users/$userId" params={{ userId: person.id }}>
        {personName(person)}
      </Link>
      <span className={classes.detail}>@{person.user_name}</span>
    </>
  );
}
