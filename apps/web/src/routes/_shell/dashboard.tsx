import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/_shell/dashboard')({
  component: RouteComponent,
})

function RouteComponent() {
  return <div>Hello "/_shell/dashboard"!</div>
}
