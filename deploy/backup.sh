#!/bin/sh
# backup.sh FOLDER [DAYS]: backs up the embedded store to a new file in FOLDER, and deletes backups older than DAYS (14).
set -eu
folder=$1 days=${2:-14}
[ "$days" -ge 1 ] || { echo "DAYS must be a number from 1, got '$days'" >&2; exit 2; }
animal-store backup "$folder/pets-$(date -u +%Y-%m-%dT%H%M%SZ).db"
# the drafts of backups that were killed; the draft of a running one is open
for draft in "$folder"/.pets-*.db.unfinished-*; do
  [ -f "$draft" ] || continue
  for open in /proc/[0-9]*/fd/*; do [ "$open" -ef "$draft" ] && continue 2; done
  rm -f "$draft" "$draft-journal"
done
# runs only if the backup succeeded; +13 means at least 14 full days
find "$folder" -mindepth 1 -maxdepth 1 -type f -name 'pets-*.db' -mtime "+$((days - 1))" -exec rm {} +
