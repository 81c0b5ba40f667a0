import type { PersonSummary } from '@atoll/contract/projects/entity';
import { Link } from '@tanstack/react-router';
import { personName } from '../../collaboration/people.ts';
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
