#!/bin/sh
# backup.sh FOLDER [DAYS]: backs up the embedded store to a new file in FOLDER, and deletes backups older than DAYS (14).
set -eu
folder=$1 days=${2:-14}
[ "$days" -ge 1 ] || { echo "DAYS must be a number from 1, got '$days'" >&2; exit 2; }
animal-store backup "$folder/pets-$(date -u +%Y-%m-%dT%H%M%SZ).db"
# runs only if the backup succeeded; +13 means at least 14 full days
find "$folder" -mindepth 1 -maxdepth 1 -type f -name 'pets-*.db' -mtime "+$((days - 1))" -exec rm {} +
