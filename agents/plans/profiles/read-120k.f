# Twelve threads open, read and close a thousand files of 120 KiB for ten minutes.
set $nfiles=1000
set $size=120k
set $nthreads=12

define fileset name=larger,path=/tmp,entries=$nfiles,filesize=$size,prealloc

define process name=reader,instances=1
{
  thread name=readers,memsize=1m,instances=$nthreads
  {
    flowop openfile name=open,filesetname=larger,fd=1
    flowop readwholefile name=read,fd=1
    flowop closefile name=close,fd=1
  }
}

run 600
